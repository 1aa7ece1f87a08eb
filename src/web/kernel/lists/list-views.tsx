/** Named states of a list with filters, sort and columns, own or shared. */
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { ChevronDown } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { savedViewCalls, type SavedView } from '#contract/list-layouts/list-layout.ts'
import type { GridLayout } from '../../ui/grid/grid-types.ts'
import { readLayout, useListLayout } from './list-layout.ts'
import type { ListControls } from './list-state.ts'
import { apiQuery } from '../query.ts'
import { useScopeId } from '../scope.ts'
import { useIdle } from '../use-idle.ts'
import { Button } from '../../ui/button.tsx'
import { opensInView, useViewChoices, type ViewChoices } from './view-choices.ts'
import type { ViewState } from './view-state.ts'

/** Returns the columns in use: those of the open view with later changes, else the user's own for this list. */
export function useListViews(list: string, state: ListControls): ViewState {
  const own = useListLayout(list)
  const [opens] = useState(() => opensInView(list))
  const idle = useIdle()
  const views = useViews(list, state.view !== null || opens || idle)
  const { choices, isPending } = useViewChoices(list, opens || idle)
  const isTurning = useStartView(state, views.data, choices, opens && (isPending || views.pending))
  const view = views.data?.find((one) => one.id === state.view)
  const [changed, setChanged] = useState<{ view: number; layout: GridLayout | null } | null>(null)
  const changedLayout = view && changed?.view === view.id ? changed.layout : undefined
  const viewLayout = view ? readLayout(view.layout) : null
  return {
    layout: view ? (changedLayout === undefined ? (viewLayout ?? own.layout) : changedLayout) : own.layout,
    ready: own.ready && !isTurning && (state.view === null || !views.pending),
    save: (layout) => (view ? setChanged({ view: view.id, layout }) : own.save(layout)),
    view,
    views: views.data ?? [],
    choices,
    changedLayout,
    forgetLayout: () => setChanged(null),
  }
}

/**
 * Opens the view in which the list starts, where the address names nothing. Whoever takes the view away meets the list's own state: it is done
 * once for each visit of the list. Returns whether the rows have to wait for it.
 */
function useStartView(state: ListControls, views: readonly SavedView[] | undefined, { start }: ViewChoices, isAsked: boolean): boolean {
  const [isDone, setDone] = useState(!state.isSilent)
  // Once the address has named something, one without anything means that the person took it away.
  if (!isDone && !state.isSilent) setDone(true)
  const view = isDone ? undefined : views?.find(({ id }) => id === start)
  const open = useEffectEvent(() => view && state.openView(view.id, view.query, true))
  const id = view?.id
  useEffect(() => {
    if (id !== undefined) open()
  }, [id])
  return !isDone && (isAsked || view !== undefined)
}

/** The first rows do not need the views, so they are loaded when the browser is idle, unless one is in use. */
function useViews(list: string, enabled: boolean): { data: readonly SavedView[] | undefined; pending: boolean } {
  const scopeId = useScopeId()
  const query = { list, ...(scopeId === null ? {} : { client_id: String(scopeId) }) }
  const asked = useQuery({ ...apiQuery(savedViewCalls.list, { query }), enabled })
  return { data: asked.data?.saved_views, pending: asked.isPending }
}

const Tabs = lazy(() => import('../../ui/grid/view-tabs.tsx').then((module) => ({ default: module.ViewTabs })))
/** Tabs beside the title, besides the list's own state; more would push the buttons away. */
const MOST_TABS = 5

/** The views as tabs beside the list's title, once there are some: those that the person has pinned, else the first ones. */
export function ListViewTabs({ state, views: { view, views, choices, forgetLayout } }: { state: ListControls; views: ViewState }) {
  if (views.length === 0) return null
  const all = { id: null, name: 'All', href: state.viewHref(null, ''), current: view === undefined && state.viewText === '' }
  const pinned = views.filter(({ id }) => choices.pinned.includes(id))
  const tabs = (pinned.length > 0 ? pinned : views)
    .slice(0, MOST_TABS)
    .map(({ id, name, query }) => ({ id, name, href: state.viewHref(id, query), current: id === view?.id }))
  return (
    <Suspense fallback={null}>
      <Tabs views={[all, ...tabs]} onOpen={forgetLayout} />
    </Suspense>
  )
}

const Menu = lazy(() => import('./list-view-menu.tsx').then((module) => ({ default: module.ListViewMenu })))

/** The menu of views beside the list's title. Its code comes with the views, after the first rows. */
export function ListViews(props: { list: string; state: ListControls; views: ViewState }) {
  const idle = useIdle()
  const waiting = (
    <Button kind="quiet" disabled title="Views are being loaded">
      {props.views.view?.name ?? 'All'}
      <ChevronDown size={14} aria-hidden="true" />
    </Button>
  )
  if (!idle) return waiting
  return (
    <Suspense fallback={waiting}>
      <Menu {...props} />
    </Suspense>
  )
}
