/** The part of wawoff2 that is used; the package has no types. */
declare module 'wawoff2' {
  const woff2: { decompress(file: Uint8Array): Promise<Uint8Array> };
  export default woff2;
}
