/** The part of scanned documents that bill entry uses. */
export { entryHref, nextScan, splitHref, useListOrder, useScan } from './scan-document.ts'
export { ScanFacts, ScanNotes } from './scan-facts.tsx'
export { changeScans } from './use-scans.ts'
