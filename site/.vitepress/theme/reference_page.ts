import { Content, useData } from 'vitepress';
import { defineComponent, h } from 'vue';
import { ApiReference } from './api_reference';

/** The layout of a page that shows an OpenAPI document below its text. */
export const ReferencePage = defineComponent(() => {
  const { page } = useData();
  return () =>
    h('div', { class: 'reference-page' }, [
      h('section', { 'aria-label': page.value.title }, h(Content)),
      h(ApiReference),
    ]);
});
