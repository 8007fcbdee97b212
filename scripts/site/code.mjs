import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

const languages = {
  sh: () => import('shiki/langs/shellscript.mjs'),
  js: () => import('shiki/langs/javascript.mjs'),
  ts: () => import('shiki/langs/typescript.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  http: () => import('shiki/langs/http.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};
// Swift's grammar needs more of regular expressions than JavaScript has.
const plain = new Set(['', 'text', 'txt', 'csv', 'swift']);
const aliases = { bash: 'sh', javascript: 'js', typescript: 'ts', py: 'python', yml: 'yaml' };

/** Colors are classes, so that the site's policy need not allow styles in elements. */
const theme = createCssVariablesTheme({ name: 'site', variablePrefix: '--c-', fontStyle: false });
const classes = {
  name: 'classes-for-styles',
  pre(node) {
    // The code may be wider than the page, and is then scrolled by keyboard too.
    node.properties = { class: 'shiki vp-code', 'v-pre': '', tabindex: '0' };
  },
  span(node) {
    const [, token] = /--c-token-([a-z-]+)/.exec(String(node.properties.style ?? '')) ?? [];
    delete node.properties.style;
    if (token) node.properties.class = `t-${token}`;
  },
};

/** The texts that a reader replaces by a value of their own; the names are those of `theme/own_values.ts`. */
const slots =
  /<YOUR_(BASE_URL|CLIENT_ID|CLIENT_SECRET|WEBHOOK_SECRET)>|http:\/\/localhost:8080(?!\w)/g;

/** Whether code of this text takes values that only its reader knows. */
export const takesValues = (markdown) => /<YOUR_[A-Z_]+>/.test(markdown);

const decorationsOf = (code) =>
  [...code.matchAll(slots)].map(({ 0: found, 1: name = 'BASE_URL', index }) => ({
    start: index,
    end: index + found.length,
    properties: { class: 'slot', 'data-slot': name.toLowerCase() },
  }));

/** @returns the function by which the site shows code: `(code, language) => HTML` */
export async function openHighlighter() {
  const langs = await Promise.all(Object.values(languages).map((load) => load()));
  const engine = createJavaScriptRegexEngine();
  const highlighter = await createHighlighterCore({ themes: [theme], langs, engine });
  // Each page is rendered for browsers, for its HTML and for the search.
  const known = new Map();
  return (given, name) => {
    const code = given.trimEnd();
    const lang = aliases[name] ?? name;
    if (!plain.has(lang) && !languages[lang]) throw new Error(`no colors for code in ${name}`);
    const key = `${lang}\n${code}`;
    const html =
      known.get(key) ??
      highlighter.codeToHtml(code, {
        lang: plain.has(lang) ? 'text' : lang,
        theme: 'site',
        transformers: [classes],
        decorations: decorationsOf(code),
      });
    known.set(key, html);
    return html;
  };
}
