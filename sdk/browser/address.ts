/**
 * The Tenant of a token: its first 16 bytes, as in the path of the hosted pages.
 * @returns 32 hexadecimal digits; null when it is not a token
 */
export function tenantOf(token: string): string | null {
  const text = token
    .slice(token.indexOf('_') + 1)
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  try {
    const digits = [...atob(text.slice(0, 24))].map((sign) =>
      sign.charCodeAt(0).toString(16).padStart(2, '0'),
    );
    return digits.length < 16 ? null : digits.slice(0, 16).join('');
  } catch {
    return null;
  }
}

/** The address of a token's page, without the token. */
export const pageOf = (baseUrl: string, token: string): string =>
  `${baseUrl}/hosted/${tenantOf(token) ?? ''}`;
