import { type ComponentChild, Fragment, h } from 'preact';
import { markdownBy } from './render_markdown.ts';

const partsOf = markdownBy<ComponentChild>(
  (tag, props, ...children) => h(tag, props, ...children),
  'class',
);

/** A text in Markdown as elements. */
export const Markdown = ({ text }: { readonly text: string }) =>
  h(Fragment, null, ...partsOf(text));
