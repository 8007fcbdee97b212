import manifest from '../package.json' with { type: 'json' };

/** The release that this process runs. */
export const { version } = manifest;
