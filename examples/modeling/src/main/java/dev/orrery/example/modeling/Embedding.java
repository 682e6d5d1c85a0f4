package dev.orrery.example.modeling;

import static java.util.Comparator.comparing;

import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A person with addresses and contact details: one item, or the four tables of a relational design. */
final class Embedding {
    static final String READ = "read a person";
    static final String SAVE = "save a person";
    static final String CHANGE = "change an e-mail address";

    private static final int PEOPLE = 20;

    record Address(String line1, String city, String country) {}

    /** Either an e-mail address or a telephone, which may have an extension. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ContactDetail(String email, String phone, Integer extension) {
        static ContactDetail email(String address) {
            return new ContactDetail(address, null, null);
        }

        static ContactDetail phone(String number, int extension) {
            return new ContactDetail(null, number, extension);
        }
    }

    record Person(
            String id,
            String firstName,
            String lastName,
            List<Address> addresses,
            List<ContactDetail> contactDetails) {}

    interface People {
        void save(Person person);

        Person read(String id);

        /** The first contact detail of this person is an e-mail address. */
        void changeEmail(String id, String email);
    }

    /** A person is an item. */
    static final class Embedded implements People {
        private final Container people;

        Embedded(Workbench bench) {
            people = bench.container("people", "/id");
        }

        @Override
        public void save(Person person) {
            people.create(person.id(), person);
        }

        @Override
        public Person read(String id) {
            return people.read(id, id, Person.class);
        }

        @Override
        public void changeEmail(String id, String email) {
            people.patch(id, id, CosmosPatchOperations.create().set("/contactDetails/0/email", email));
        }
    }

    /** A person is a row, and so is everything about it. */
    static final class Normalised implements People {
        private static final String OF_PERSON = "SELECT * FROM c";

        private record PersonRow(String id, String firstName, String lastName) {}

        private record AddressRow(String id, String personId, String line1, String city, String country) {}

        @JsonInclude(JsonInclude.Include.NON_NULL)
        private record ContactDetailRow(String id, String personId, String typeId, String value, Integer extension) {}

        private record ContactDetailType(String id, String name) {
            static final ContactDetailType EMAIL = new ContactDetailType("type-1", "email");
            static final ContactDetailType PHONE = new ContactDetailType("type-2", "phone");
        }

        private final Container people;
        private final Container addresses;
        private final Container contactDetails;
        private final Container contactDetailTypes;

        Normalised(Workbench bench) {
            people = bench.container("personRows", "/id");
            addresses = bench.container("addressRows", "/personId");
            contactDetails = bench.container("contactDetailRows", "/personId");
            contactDetailTypes = bench.container("contactDetailTypes", "/id");
            for (var type : List.of(ContactDetailType.EMAIL, ContactDetailType.PHONE)) {
                contactDetailTypes.create(type.id(), type);
            }
        }

        @Override
        public void save(Person person) {
            var id = person.id();
            people.create(id, new PersonRow(id, person.firstName(), person.lastName()));
            for (int i = 0; i < person.addresses().size(); i++) {
                var address = person.addresses().get(i);
                addresses.create(
                        id, new AddressRow(rowId(id, i), id, address.line1(), address.city(), address.country()));
            }
            for (int i = 0; i < person.contactDetails().size(); i++) {
                contactDetails.create(id, row(id, i, person.contactDetails().get(i)));
            }
        }

        @Override
        public Person read(String id) {
            var person = people.read(id, id, PersonRow.class);
            var addressRows = addresses.query(id, AddressRow.class, OF_PERSON).stream()
                    .sorted(comparing(AddressRow::id))
                    .map(row -> new Address(row.line1(), row.city(), row.country()))
                    .toList();
            var contactRows = contactDetails.query(id, ContactDetailRow.class, OF_PERSON);
            var typeIds = contactRows.stream()
                    .map(ContactDetailRow::typeId)
                    .distinct()
                    .toList();
            var types = contactDetailTypes.readMany(typeIds, ContactDetailType.class).stream()
                    .collect(Collectors.toMap(ContactDetailType::id, ContactDetailType::name));
            var contacts = contactRows.stream()
                    .sorted(comparing(ContactDetailRow::id))
                    .map(row -> contact(row, types.get(row.typeId())))
                    .toList();
            return new Person(id, person.firstName(), person.lastName(), addressRows, contacts);
        }

        @Override
        public void changeEmail(String id, String email) {
            contactDetails.patch(
                    id, rowId(id, 0), CosmosPatchOperations.create().set("/value", email));
        }

        private static ContactDetailRow row(String personId, int position, ContactDetail detail) {
            var id = rowId(personId, position);
            return detail.email() == null
                    ? new ContactDetailRow(
                            id, personId, ContactDetailType.PHONE.id(), detail.phone(), detail.extension())
                    : new ContactDetailRow(id, personId, ContactDetailType.EMAIL.id(), detail.email(), null);
        }

        private static ContactDetail contact(ContactDetailRow row, String type) {
            return type.equals(ContactDetailType.EMAIL.name())
                    ? ContactDetail.email(row.value())
                    : ContactDetail.phone(row.value(), row.extension());
        }

        private static String rowId(String personId, int position) {
            return personId + "-" + position;
        }
    }

    private Embedding() {}

    static TradeOff measure(Workbench bench) {
        var comparison = bench.compare("embedded", new Embedded(bench), "normalised", new Normalised(bench));
        comparison.prepare(
                people -> IntStream.range(0, PEOPLE).forEach(number -> people.save(person("person", number))));
        comparison.measure(READ, (people, number) -> people.read(id("person", number % PEOPLE)));
        comparison.measure(
                SAVE,
                (people, number) -> people.save(person("new", number)),
                (people, number) -> people.read(id("new", number)));
        comparison.measure(
                CHANGE,
                (people, number) -> people.changeEmail(id("person", number % PEOPLE), "ada" + number + "@example.org"),
                (people, number) -> people.read(id("person", number % PEOPLE)));
        return comparison.tradeOff();
    }

    static Person person(String kind, int number) {
        return new Person(
                id(kind, number),
                "Ada",
                "Lovelace",
                List.of(
                        new Address("12 St James's Square", "London", "England"),
                        new Address("Ockham Park", "Ripley", "England")),
                List.of(ContactDetail.email("ada@example.org"), ContactDetail.phone("+44 20 7946 0147", 5555)));
    }

    private static String id(String kind, int number) {
        return kind + "-" + (1_000 + number);
    }
}
