/** The body with which a reviewer publishes this version of a document. */
export const newVersion = (version: string) => ({
  version,
  title: { en: `Terms of ${version}`, es: `Condiciones de ${version}` },
  text: { en: `# Terms\n\nThese are **new**.`, es: `# Condiciones\n\nSon **nuevas**.` },
});
