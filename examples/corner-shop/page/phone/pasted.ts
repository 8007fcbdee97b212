/** The payment code in a pasted text, or why there is none. */
export interface Pasted {
  readonly code: string | null;
  /** The payer types the amount. */
  readonly isStatic: boolean;
  readonly fault: 'noPaymentCode' | 'cutCode' | null;
}

const refused = (fault: Pasted['fault']): Pasted => ({ code: null, isStatic: false, fault });

/** The middle part is JSON; the service checks its signature. */
function contentOf(encoded: string): { t?: string } | null {
  try {
    return JSON.parse(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return null;
  }
}

/**
 * Finds a code in the words of a chat, in a mail with line breaks, or at the end of a link.
 * An Ed25519 signature has 86 letters.
 */
export function readPasted(text: string): Pasted {
  const whole = text.replaceAll(/\s/g, '');
  if (whole === '') return refused(null);
  const [, encoded = '', signature = ''] = /tps1\.([\w-]+)\.?([\w-]{86})?/.exec(whole) ?? [];
  if (encoded === '') return refused('noPaymentCode');
  const content = contentOf(encoded);
  if (!content || signature === '') return refused('cutCode');
  const code = `tps1.${encoded}.${signature}`;
  return { code, isStatic: content.t === 'static', fault: null };
}
