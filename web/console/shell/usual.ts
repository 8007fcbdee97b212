/** Small parts that most pages of the console show: they come with the first one (web/staff/usual.ts). */

import '../../staff/usual.ts';
import '../desk/words.ts';
import '../tenants/links.tsx';
import '../tenants/tenant_filter.tsx';
