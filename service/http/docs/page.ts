/** The styles of every page under `/docs`, for both color schemes. */
export const styles = `
:root { color-scheme: light dark; --ink: #1a1d21; --paper: #fff; --faint: #59616b; --line: #d5dae0; --link: #0b57c9; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7eaee; --paper: #14171a; --faint: #a3acb8; --line: #343b44; --link: #8ab8ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 56rem; padding: 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem; background: var(--paper); }
nav { border-bottom: 1px solid var(--line); padding-bottom: .75rem; }
nav a { margin-right: 1rem; }
ul { padding-left: 1.2rem; }
li { margin: .45rem 0; }
.faint { color: var(--faint); }
h3 { font-size: 1rem; }
code, pre { font: .875rem/1.6 ui-monospace, monospace; }
.wide { overflow-x: auto; }
.wide:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
pre { white-space: pre; overflow-wrap: normal; margin: 1rem 0; padding: .75rem; border: 1px solid var(--line); border-radius: 4px; }
img { max-width: 100%; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top;
  min-width: 6rem; overflow-wrap: normal; }
`.trim();

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** An HTML link. @param href a path or an address */
export const link = (href: string, text: string): string =>
  `<a href="${escaped(href)}">${escaped(text)}</a>`;

/** A complete page. @param main HTML */
export function htmlPage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Tenant Payments</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/docs.css">
</head>
<body>
<a class="skip" href="#main">To the text</a>
<nav aria-label="Documentation">${link('/docs', 'Documentation')} ${link('/docs/api', 'API reference')} ${link('/docs/portal-api', 'Portal JSON')}</nav>
<main id="main">
<h1>${escaped(title)}</h1>
${main}
</main>
</body>
</html>
`;
}
