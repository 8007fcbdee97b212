/** The parts below the heading of the first page, loaded while its figures are read. */

import '../../staff/usual.ts';

export { HomeParts } from '../pages/home/parts.tsx';
