/** The colours of the pages, as CSS variables. */
export const PALETTE = `
:root {
  --ground: #faf9fb;
  --surface: #ffffff;
  --line: #e6e2ea;
  --text: #26212d;
  --quiet: #6a6374;
  --accent: #b8047b;
  --good: #1a8f5a;
  --poor: #b7791f;
  --bad: #cf3341;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16131a;
    --surface: #1f1b25;
    --line: #332d3c;
    --text: #ece8f1;
    --quiet: #a59daf;
    --accent: #ff7ac8;
    --good: #4cc38a;
    --poor: #e0a83f;
    --bad: #ff7b85;
  }
}
`;
