/** What the shell uses of the first page. */
export { firstSectionOf } from './landing.ts'
