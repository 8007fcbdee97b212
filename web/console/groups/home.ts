/** The first page, loaded by itself. */

import '../shell/usual.ts';

export { Home } from '../pages/home.tsx';
