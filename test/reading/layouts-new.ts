/**
 * Layouts that differ from all others in how they are built, drawn before the reader was changed for them. One half is open: the reader is
 * built on it. The other is measured only; which layouts it has, their names alone decide.
 */
import { createHash } from 'node:crypto'
import type { Layout } from './layout.ts'
import { newCharges } from './layouts-new-charges.ts'
import { newHeads } from './layouts-new-heads.ts'
import { newMeters } from './layouts-new-meters.ts'
import { newMore } from './layouts-new-more.ts'
import { newPages } from './layouts-new-pages.ts'

const isOpen = ({ name }: Layout): boolean => (createHash('sha256').update(name).digest()[0] ?? 0) % 2 === 0

const all = [...newHeads, ...newMeters, ...newPages, ...newCharges, ...newMore]
export const openLayouts: readonly Layout[] = all.filter(isOpen)
export const unopenedLayouts: readonly Layout[] = all.filter((layout) => !isOpen(layout))
