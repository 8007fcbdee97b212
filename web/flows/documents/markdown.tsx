import type { Token } from 'marked';
import { type ComponentChild, Fragment, h } from 'preact';
import { markdownBy } from '../../ui/markdown/render_markdown.ts';

const partsOf = markdownBy<ComponentChild>(
  (tag, props, ...children) => h(tag, props, ...children),
  'class',
);

/** A text in Markdown, as it was read, as elements. */
export const Markdown = ({ tokens }: { readonly tokens: readonly Token[] }) =>
  h(Fragment, null, ...partsOf(tokens));
