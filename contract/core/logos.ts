/** The limits of a logo: pixels of each side, and bytes as it is sent and as it is kept. */
export const logoLimits = { side: 512, sentBytes: 45_000, keptBytes: 65_536 } as const;

const logoPath = /^\/hosted\/[0-9a-f]{32}\/logo\/[0-9a-f]{64}\.png$/;

/** The path of a logo that the service keeps; null for any other address. @param address may be a path */
export function logoPathOf(address: string | null): string | null {
  const base = 'http://localhost';
  if (address === null || !URL.canParse(address, base)) return null;
  const { pathname } = new URL(address, base);
  return logoPath.test(pathname) ? pathname : null;
}
