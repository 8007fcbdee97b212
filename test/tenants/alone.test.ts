import { proofTest } from '../prove/proof.ts';
import { playBoth } from './alone.ts';

proofTest("operations of five tenants at once are what each tenant's are alone", 600, playBoth);
