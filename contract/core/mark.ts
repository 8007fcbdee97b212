/**
 * The mark of the product: what one side gives the other gets. Blue, and amber in the sandbox, so that nobody takes
 * one tab for the other.
 */
const colors = { production: '#1f5eff', sandbox: '#b35900' } as const;

const svgOf = (environment: keyof typeof colors): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${colors[environment]}"/><path d="M12 11.5h13M7 20.5h13" fill="none" stroke="#fff" stroke-width="4.5" stroke-linecap="round"/><circle cx="6.75" cy="11.5" r="2.25" fill="#fff"/><circle cx="25.25" cy="20.5" r="2.25" fill="#fff"/></svg>`;

/** The mark as an address that an `img` and an icon of a page take. */
export const iconOf = (environment: keyof typeof colors): string =>
  `data:image/svg+xml,${encodeURIComponent(svgOf(environment))}`;
