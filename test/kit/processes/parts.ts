/** The sources of every part. */
const common = ['backoffice/contract', 'contract', 'package.json', 'scripts', 'sdk'] as const;

/** The parts of a build: the file that is written last, and the sources. */
export const parts = {
  programs: {
    made: 'dist/main.js',
    sources: [
      ...common,
      'adapters',
      'backoffice',
      'bank',
      'cli',
      'engine',
      'examples/corner-shop',
      'fleet',
      'service',
      'start',
    ],
  },
  web: {
    made: 'dist/web/manifest.json',
    sources: [...common, 'examples/corner-shop', 'web'],
  },
  /** The packages that the service hands out; `programs` has built the command line. */
  sdk: {
    made: 'dist/packages/packages.json',
    sources: [...common, 'cli', 'docs/guide/command-line.md'],
  },
  /** Its build knows by itself whether a text has changed. */
  docs: null,
} as const;
