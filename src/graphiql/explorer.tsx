import { explorerPlugin } from '@graphiql/plugin-explorer';
import type { GraphiQLPlugin } from '@graphiql/react';
import { type Editor, replaceText, useEditors } from './editors.ts';
import { keepComments } from './keep-comments.ts';

/** GraphiQL's explorer, which by itself loses the comments of a query. What it changes can be undone. */
export function commentKeepingExplorer(): GraphiQLPlugin {
  let editor: Editor | undefined;
  const { content: Panel, ...plugin } = explorerPlugin({
    showAttribution: false,
    onEdit(printed: string) {
      if (editor) replaceText(editor, keepComments(editor.getValue(), printed));
    },
  });
  function Explorer() {
    editor = useEditors().queryEditor;
    return <Panel />;
  }
  return { ...plugin, content: Explorer };
}
