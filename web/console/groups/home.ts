/** The first page, loaded by itself. */

import '../../staff/usual.ts';

export { Home } from '../pages/home.tsx';
