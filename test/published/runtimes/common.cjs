const sdk = require('@tenant-payments/sdk-server');

import('./exercise.mjs')
  .then(({ exercise }) => exercise(sdk, JSON.parse(process.argv[2])))
  .then((held) => console.log(JSON.stringify(held)));
