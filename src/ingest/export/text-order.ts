export { compareTexts } from '../../text-order.ts';
