import type { MessageLocale } from '../messages.ts';

/** A part of a message, from top to bottom. */
export type Block =
  | { readonly kind: 'text' | 'heading' | 'code'; readonly text: string }
  | { readonly kind: 'button'; readonly text: string; readonly url: string }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [name: string, value: string])[] };

/** A message in one language. */
export interface Content {
  readonly subject: string;
  readonly blocks: readonly Block[];
  /** The text message; absent: the words of its blocks. */
  readonly short?: string;
}

export type Contents = Readonly<Record<MessageLocale, Content>>;

/**
 * A text as data: paragraphs parted by an empty line, `{name}` for what is filled in. A paragraph that is `{code}`
 * alone is a code, `[Open]({link})` a button, `# Title` a heading.
 */
export interface Template {
  readonly subject: string;
  readonly body: string;
  readonly short?: string;
}

/** In one pass: a name with braces fills in nothing. */
const filled = (text: string, data: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => data[name] ?? '');

const button = /^\[([^\]]+)\]\(([^)]+)\)$/;

/** The text of a template for what it names. What is filled in is no mark-up. */
export function contentOf(
  { subject, body, short }: Template,
  data: Readonly<Record<string, string | undefined>>,
): Content {
  const blocks = body.split('\n\n').map((part): Block => {
    if (part === '{code}') return { kind: 'code', text: filled(part, data) };
    if (part.startsWith('# ')) return { kind: 'heading', text: filled(part.slice(2), data) };
    const [, label, url] = button.exec(part) ?? [];
    return label !== undefined && url !== undefined
      ? { kind: 'button', text: filled(label, data), url: filled(url, data) }
      : { kind: 'text', text: filled(part, data) };
  });
  return {
    subject: filled(subject, data),
    blocks,
    ...(short !== undefined && { short: filled(short, data) }),
  };
}
