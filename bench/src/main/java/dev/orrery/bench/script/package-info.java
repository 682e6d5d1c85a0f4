/** A stored procedure beside what it stands for. Begin with {@link ScriptBench}. */
package dev.orrery.bench.script;
