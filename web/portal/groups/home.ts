/** What stands below the heading of the first page, loaded while its figures are read. */

import '../../staff/shared.ts';

export { HomeParts } from '../pages/home/parts.tsx';
