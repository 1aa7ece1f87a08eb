/** The public part of divisions. */
export { divisionAddition } from './division-addition.tsx'
export { DivisionHeader } from './division-header.tsx'
