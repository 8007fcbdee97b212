/** What somebody pasted: a code's text, wherever it stood, or why it is none. */
export interface Pasted {
  readonly code: string | null;
  /** Whoever pays types the amount. */
  readonly isStatic: boolean;
  readonly fault: string | null;
}

const refused = (fault: string | null): Pasted => ({ code: null, isStatic: false, fault });

/** The middle part is JSON; whether it is genuine, the service says. */
function contentOf(encoded: string): { t?: string } | null {
  try {
    return JSON.parse(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return null;
  }
}

/** An Ed25519 signature is 86 letters. Mail breaks lines, chats put words around, links end with a code:
 * all of these are understood. */
export function readPasted(text: string): Pasted {
  const whole = text.replaceAll(/\s/g, '');
  if (whole === '') return refused(null);
  const [, encoded = '', signature = ''] = /tps1\.([\w-]+)\.?([\w-]{86})?/.exec(whole) ?? [];
  if (encoded === '') return refused('This is no payment code: one begins with tps1.');
  const content = contentOf(encoded);
  if (!content || signature === '')
    return refused('A part of the code is missing. Copy all of it.');
  const code = `tps1.${encoded}.${signature}`;
  return { code, isStatic: content.t === 'static', fault: null };
}
