import { Content, useData } from 'vitepress';
import { defineComponent, h } from 'vue';
import { ApiReference, referenceState } from './api_reference';

/** The layout of a page that shows an OpenAPI document: its text gives way to the document's own title. */
export const ReferencePage = defineComponent(() => {
  const { page } = useData();
  return () =>
    h('main', { class: 'reference-page' }, [
      referenceState.value !== 'ready' &&
        h('section', { 'aria-label': page.value.title }, h(Content)),
      h(ApiReference),
    ]);
});
