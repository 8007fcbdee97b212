import {
  type MessageBrand,
  type MessageLocale,
  messageLocales,
  type RenderedMessage,
} from '../messages.ts';
import type { Block, Content, Contents } from './content.ts';
import { mailHtml } from './html.ts';

/** The recipients of a message: its foot says why. */
export type Audience = 'customer' | 'staff';

const feet: Readonly<Record<Audience, Readonly<Record<MessageLocale, (name: string) => string>>>> =
  {
    customer: {
      en: (name) =>
        `You get this message because of your digital account with ${name}. Nobody who works for us asks you for a PIN or a code.`,
      es: (name) =>
        `Usted recibe este mensaje por su cuenta digital con ${name}. Nadie que trabaje con nosotros le pide un PIN ni un código.`,
    },
    staff: {
      en: (name) =>
        `You get this message because you work with ${name} in the portal or the console.`,
      es: (name) =>
        `Usted recibe este mensaje porque trabaja con ${name} en el portal o la consola.`,
    },
  };

function blockText(block: Block): string {
  if (block.kind === 'rows')
    return block.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
  if (block.kind === 'button') return `${block.text}:\n${block.url}`;
  return block.kind === 'code' ? `    ${block.text}` : block.text;
}

const textOf = ({ blocks }: Content): string => blocks.map(blockText).join('\n\n');

const shortOf = (content: Content): string =>
  content.short ??
  content.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join(' ');

interface Options {
  /** Null: both languages, one after the other. */
  readonly locale: MessageLocale | null;
  readonly brand: MessageBrand;
  readonly audience?: Audience;
}

/** The words of a message, as a mail and as a text message. */
export function renderMessage(
  contents: Contents,
  { locale, brand, audience = 'customer' }: Options,
): RenderedMessage {
  const locales = locale === null ? messageLocales : [locale];
  const footOf = (one: MessageLocale) => feet[audience][one](brand.name);
  const subject = locales.map((one) => contents[one].subject).join(' / ');
  const parts = locales.map((one) => [one, contents[one], footOf(one)] as const);
  return {
    subject,
    text: `${parts.map(([, content, foot]) => `${textOf(content)}\n\n-- \n${foot}`).join('\n\n\n')}\n`,
    html: mailHtml(parts, subject, brand),
    short: locales.map((one) => shortOf(contents[one])).join('\n\n'),
  };
}
