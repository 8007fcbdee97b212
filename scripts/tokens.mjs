const byDevice = /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/;

/** The file with the one look of all surfaces. */
export const tokensFile = /[\\/]web[\\/]ui[\\/]styles[\\/]tokens\.css$/;

/**
 * The tokens for pages whose reader may choose light or dark: the dark ones under the selector of that choice.
 * @throws when the file has no dark ones
 */
export function tokensUnder(css, selector) {
  if (!byDevice.test(css)) throw new Error('tokens.css has no block of dark tokens');
  return css.replace(byDevice, (_, dark) => `${selector} {${dark}}`);
}
