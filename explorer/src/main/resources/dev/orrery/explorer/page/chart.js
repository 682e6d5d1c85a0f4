// The chart library, loaded when the first chart is drawn, in the colours of the page.

const FILE = "lib/chart.js/4.2.1/dist/chart.umd.js";

let loaded;

export function loadChart() {
  loaded ??= (async () => {
    await import(`./${FILE}`);
    const { Chart } = globalThis;
    const style = getComputedStyle(document.documentElement);
    Chart.defaults.color = style.getPropertyValue("--dim");
    Chart.defaults.borderColor = style.getPropertyValue("--line");
    Chart.defaults.font.size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.86;
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    return Chart;
  })();
  return loaded;
}

/** Colours that can be told apart in both themes. */
export function palette() {
  return matchMedia("(prefers-color-scheme: dark)").matches
    ? ["#aab4ff", "#ffc777", "#8fd6a6", "#ff9fb2"]
    : ["#3949c6", "#b86e00", "#1c7a45", "#b0304f"];
}

/** Every so many minutes of an hour have a name below them. */
const MINUTES_NAMED = 15;

/** Draws what there was in each of the last minutes, the present one last. Nothing is smoothed: a line goes from figure to figure. */
export async function minutesChart(place, label, points) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  place.replaceChildren(canvas);
  const Chart = await loadChart();
  const [colour] = palette();
  const ago = (index) => points.length - 1 - index;
  const words = (index) => (ago(index) === 0 ? "now" : `${ago(index)} min ago`);
  return new Chart(canvas, {
    type: "line",
    data: {
      labels: points.map((_, index) => words(index)),
      // Lines at the edge are drawn whole.
      datasets: [{ label: "RU/s", data: points, borderColor: colour, backgroundColor: `${colour}26`, fill: true, borderWidth: 2, pointRadius: 0, pointHitRadius: 6, clip: 4 }],
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      layout: { padding: { top: 6, right: 16 } },
      plugins: { legend: { display: false } },
      scales: {
        y: { beginAtZero: true, title: { display: true, text: "RU/s" } },
        // A name that is undefined has no line either.
        x: { ticks: { autoSkip: false, maxRotation: 0, callback: (_, index) => (ago(index) % MINUTES_NAMED === 0 ? words(index) : undefined) } },
      },
    },
  });
}

/** Draws bars side by side for each label. Figures of requests differ a thousandfold, so each line up is ten times more. */
export async function groupedBars(place, label, labels, series, unit) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  place.replaceChildren(canvas);
  const Chart = await loadChart();
  const colours = palette();
  return new Chart(canvas, {
    type: "bar",
    data: { labels, datasets: series.map((one, index) => ({ label: one.name, data: one.points, backgroundColor: colours[index], borderRadius: 2 })) },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      layout: { padding: { top: 6, right: 8 } },
      scales: {
        x: { grid: { display: false } },
        y: { type: "logarithmic", title: { display: true, text: unit }, ticks: { callback: (value) => (Number.isInteger(Math.log10(value)) ? value.toLocaleString() : undefined) } },
      },
    },
  });
}
