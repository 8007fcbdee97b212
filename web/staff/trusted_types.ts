interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): unknown;
}

/**
 * Mantine writes its variables as the HTML of a style element, which the page's policy refuses. This lets
 * texts through in which no tag can begin, and nothing else.
 */
export function allowStyleSheets(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('HTML is not written by a script');
      return text;
    },
  });
}
