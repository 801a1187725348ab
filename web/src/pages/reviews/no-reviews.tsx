import { figureQuestion } from '../../ask/figure.ts';
import type { View } from '../../ask/use-view.ts';
import { NothingInWindow } from '../../view/states.tsx';
import { noReviewsWords } from './words.ts';

export const NoReviews = ({ view }: { readonly view: View }) => (
  <NothingInWindow
    what={noReviewsWords.reviews}
    window={view.window}
    question={figureQuestion(view, { metric: 'review-interactions-count' }, view.window)}
  />
);
