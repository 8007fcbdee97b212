import * as sdk from '@tenant-payments/sdk-server';
import { exercise } from './exercise.mjs';

console.log(JSON.stringify(await exercise(sdk, JSON.parse(process.argv[2]))));
