/** The public part of findings. */
export { findingGroups, useFindingActs } from './use-finding-acts.ts'
export { FindingItem } from './finding-item.tsx'
export type { PanelMode } from './finding-panels.tsx'
export { SeverityMark } from './finding-look.tsx'
export { settleTogether } from './settle-together.ts'
