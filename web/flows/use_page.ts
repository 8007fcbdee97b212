import { usePage as usePageOf } from '../ui/page_context.ts';
import { textsIn } from './texts/texts_in.ts';

/** The page around a component, with the texts of all flows in its language. */
export function usePage() {
  const page = usePageOf();
  return { ...page, texts: textsIn[page.locale] };
}
