import { useState } from 'preact/hooks';
import { type Node, rereadNode, updateNode } from '../../../data/nodes/nodes.ts';
import { ratingFile, sendRatingFile } from '../../../data/processing/ratings.ts';
import { fileName, saveAddress } from '../../../parts/download.ts';
import { Button } from '../../../ui/button.tsx';
import { Drop } from '../../../ui/drop.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { say } from './words.ts';

/** Takes the ratings out and in as a file; what a file has replaced comes back by «Undo». */
export function RatingFile({ node, isReadOnly }: { readonly node: Node; readonly isReadOnly: boolean }) {
  const texts = say();
  const [problem, setProblem] = useState<string>();
  const before = node.rating;
  const read = async ([file]: readonly File[]) => {
    if (!file) return;
    setProblem(undefined);
    try {
      await sendRatingFile(node._id, await file.text(), node.revision);
      await rereadNode(node._id);
      const undo = async () => {
        await updateNode(node._id, { rating: before ?? null });
        await rereadNode(node._id);
        toast(texts.undone);
      };
      toast(texts.csvRead, {
        action: { label: texts.undo, run: () => undo().catch((error) => toast(errorText(error))) },
      });
    } catch (error) {
      setProblem(texts.csvRefused(errorText(error)));
    }
  };
  return (
    <section class="editor-section" aria-label={texts.csv}>
      <h2>{texts.csv}</h2>
      {before !== null && before !== undefined && (
        <p>
          <Button onClick={() => saveAddress(`${fileName(node.name)}.csv`, ratingFile(node._id))}>
            {texts.csvOut}
          </Button>
        </p>
      )}
      {!isReadOnly && (
        <Drop label={texts.csvIn} choose={texts.csvIn} onFiles={read} isQuiet>
          {texts.csvDrop}
        </Drop>
      )}
      {problem !== undefined && (
        <p class="editor-problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
