/** The part of the home page that the shell uses. */
export { firstSectionOf } from './landing.ts'
