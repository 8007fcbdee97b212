/** Records, loaded at once when the first of them is opened. */

import '../../staff/usual.ts';

export { RecordDetail } from '../pages/record.tsx';
export { Records } from '../pages/records.tsx';
export { Palette } from '../shell/palette.tsx';
