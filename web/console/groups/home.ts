/** The first page, loaded by itself. */

import '../../staff/shared.ts';

export { Home } from '../pages/home.tsx';
