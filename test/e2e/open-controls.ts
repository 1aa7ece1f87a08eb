/** Runs in the page: finds what can be opened, opens it through its layers, and returns the outcome. */

/** The kind of a control, by the ARIA attributes that say what it opens; a `button` has none, and is pressed to find out. */
export type ControlKind =
  | 'calendar'
  | 'menu'
  | 'popover'
  | 'dialog'
  | 'combobox'
  | 'disclosure'
  | 'section'
  | 'tab'
  | 'menu item'
  | 'button'
  | 'tooltip'

export interface Control {
  readonly kind: ControlKind
  readonly name: string
  /** Identifies the control within its layer, however often the page is rendered again. */
  readonly key: string
}

export interface Found {
  readonly controls: readonly Control[]
  /** Number of skipped controls by reason. */
  readonly left: Readonly<Record<string, number>>
}

export interface Opened {
  readonly outcome: Outcome | 'gone'
  /** True if the page shows that it broke. */
  readonly broke: boolean
}

/** The kind of element that appears after a control was used. */
export type Outcome = 'calendar' | 'dialog' | 'menu' | 'list' | 'panel' | 'tooltip' | 'section' | 'elsewhere' | 'nothing new'

export interface Opener {
  /** Returns what can be opened in the page's part, or in the layer that these keys lead to. */
  find(part: string, path: readonly string[]): Promise<Found>
  /** Opens the control of the last key through the layers of the others, and closes all other layers. */
  open(part: string, path: readonly string[]): Promise<Opened>
  /** Pending requests of the page, for data, code and styles. */
  asked: number
  /** Content policy violations, including trusted types. */
  readonly reports: string[]
}

declare global {
  var controls: Opener
}

/**
 * Installs `controls` before the console's own code; it stays in the page until the page is reloaded. The writes that the console sends are
 * refused here: Playwright would intercept every request, also those that only read.
 */
export function installOpener(): void {
  const SETTLE_MS = 4000
  const BROKEN = /This page broke|The console has been updated/
  const OPENING = new Set<ControlKind>(['calendar', 'dialog', 'menu', 'popover'])
  const LAYERS = 'dialog[open], [popover]:popover-open'
  const reports: string[] = []
  document.addEventListener('securitypolicyviolation', (event) => {
    reports.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`)
  })
  const ask = globalThis.fetch
  globalThis.fetch = async (...input) => {
    const { url, method } = new Request(...input)
    if (url.includes('/live?')) return ask(...input)
    globalThis.controls.asked += 1
    try {
      if (['GET', 'HEAD'].includes(method)) return await ask(...input)
      await pause(10)
      return Response.json({ code: 'down', message: 'Not now', errors: [] }, { status: 503 })
    } finally {
      globalThis.controls.asked -= 1
    }
  }

  // Code and styles that a layer needs are asked for by a link in the head.
  const awaitLinks = new MutationObserver((changes) => {
    for (const link of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(link instanceof HTMLLinkElement) || !['modulepreload', 'stylesheet'].includes(link.rel)) continue
      globalThis.controls.asked += 1
      for (const end of ['load', 'error']) link.addEventListener(end, () => (globalThis.controls.asked -= 1), { once: true })
    }
  })
  addEventListener('load', () => awaitLinks.observe(document.head, { childList: true }))

  const isVisible = (element: Element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
  const kindOf = (element: Element): ControlKind => {
    const label = element.getAttribute('aria-label')
    if (label === 'Open calendar') return 'calendar'
    if (element.getAttribute('role')?.startsWith('menuitem')) return 'menu item'
    if (element.getAttribute('role') === 'tab') return 'tab'
    if (element.getAttribute('role') === 'combobox') return 'combobox'
    if (element.getAttribute('aria-haspopup') === 'menu') return 'menu'
    if (element.hasAttribute('popovertarget')) return 'popover'
    if (element.getAttribute('aria-haspopup') === 'dialog') return 'dialog'
    if (element.tagName === 'SUMMARY') return 'section'
    if (element.hasAttribute('aria-expanded')) return 'disclosure'
    if (element.hasAttribute('data-col')) return 'tooltip'
    return 'button'
  }
  const nameOf = (element: Element) =>
    (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60) ||
    (element instanceof HTMLInputElement ? (element.labels?.[0]?.textContent ?? '').trim() : '') ||
    element.tagName
  /** Returns the reason a control is skipped, or null. */
  const leftFor = (element: Element, inLayer: boolean): string | null => {
    if (element instanceof HTMLSelectElement) return 'select: the list is the browser’s own'
    if (element instanceof HTMLInputElement && element.type === 'file') return 'file field: the window is the browser’s own'
    if (element instanceof HTMLAnchorElement)
      return element.getAttribute('role') === 'menuitem' ? 'menu item that is a link: it opens a route' : null
    if (element.matches(':disabled, [aria-disabled=true]')) return 'disabled'
    if (element instanceof HTMLButtonElement && element.type === 'submit') return 'submits: opens nothing'
    const row = element.closest('[role=row][data-row]')
    if (row && row.getAttribute('data-row') !== '0') return 'in further rows of a list: the same as in the first'
    if (inLayer && kindOf(element) === 'button') return 'button inside a layer: acts or closes'
    return null
  }
  const SELECTOR = [
    'button',
    'summary',
    'select',
    '[role=combobox]',
    '[role=tab]',
    '[role^=menuitem]',
    'input[type=file]',
    '[role=row][data-row="0"] [data-col]',
  ].join()
  const topLayer = () =>
    [...document.querySelectorAll(LAYERS)]
      .filter((layer) => layer.getAttribute('role') !== 'status' && !layer.matches('[popover=manual]'))
      .at(-1)
  const rootOf = (part: string, path: readonly string[]) => (path.length === 0 ? document.querySelector(part) : (topLayer() ?? null))
  const listed = (root: Element) => {
    const seen = new Map<string, number>()
    return [...root.querySelectorAll(SELECTOR)]
      .filter((element) => isVisible(element) && element.closest(LAYERS) === root.closest(LAYERS))
      .map((element) => {
        const base = `${kindOf(element)} ${nameOf(element)}`
        const place = seen.get(base) ?? 0
        seen.set(base, place + 1)
        return { element, key: `${base} ${place}` }
      })
  }
  const frames = (count: number): Promise<void> =>
    new Promise((done) => {
      const step = (left: number) => (left === 0 ? done() : requestAnimationFrame(() => step(left - 1)))
      step(count)
    })
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
  const isBusy = () => {
    const layer = topLayer()
    return globalThis.controls.asked > 0 || (layer && (layer.querySelector('[aria-busy=true]') || /^Loading…$/m.test(layer.textContent)))
  }
  const settle = async (isDue: () => boolean) => {
    await frames(2)
    const from = performance.now()
    while ((isBusy() || isDue()) && performance.now() - from < SETTLE_MS) await pause(20)
    await frames(2)
  }
  /** Closes all layers, or those above `kept`. */
  const closeAll = async (kept?: Element) => {
    for (let tries = 0; tries < 6; tries += 1) {
      const layers = [...document.querySelectorAll(LAYERS)].filter((layer) => !layer.matches('[popover=manual]'))
      const last = layers.at(-1)
      if (!last || last === kept) break
      if (last instanceof HTMLDialogElement) last.dispatchEvent(new Event('cancel', { cancelable: true }))
      else if (last instanceof HTMLElement) last.hidePopover()
      await frames(2)
    }
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    await frames(1)
  }
  const sight = () => ({
    address: location.pathname + location.search,
    layers: new Set(document.querySelectorAll(LAYERS)),
    lists: document.querySelectorAll('[role=listbox]').length,
    sections: document.querySelectorAll('details[open], [aria-expanded=true]:not([aria-haspopup])').length,
  })
  const outcomeSince = (before: ReturnType<typeof sight>): Outcome => {
    const after = sight()
    if (after.address !== before.address) return 'elsewhere'
    if (after.lists > before.lists) return 'list'
    const layer = [...after.layers].find((one) => !before.layers.has(one))
    if (layer?.querySelector('table button') && layer.querySelector('[aria-label="Next month"]')) return 'calendar'
    if (layer instanceof HTMLDialogElement) return 'dialog'
    if (layer?.getAttribute('role') === 'tooltip') return 'tooltip'
    if (layer?.getAttribute('role') === 'menu') return 'menu'
    if (layer && layer.getAttribute('role') === 'dialog') return 'panel'
    return after.sections > before.sections ? 'section' : 'nothing new'
  }
  const use = async (element: Element): Promise<Outcome> => {
    const before = sight()
    element.scrollIntoView({ block: 'nearest' })
    const kind = kindOf(element)
    if (kind === 'tooltip') {
      element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
      await pause(380)
    } else if (element instanceof HTMLElement) {
      element.focus()
      element.click()
    }
    // A control that opens a layer may have to load its code first.
    await settle(() => OPENING.has(kind) && outcomeSince(before) === 'nothing new')
    const outcome = outcomeSince(before)
    if (kind === 'tooltip') element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    // A section that stays open reveals its controls to the next search.
    return outcome
  }
  /** The layers that lead to where the last control was opened, the outermost first. */
  let trail: { readonly part: string; readonly key: string; readonly layer: Element | undefined }[] = []
  const step = async (part: string, path: readonly string[]): Promise<Outcome | 'gone'> => {
    const root = rootOf(part, path.slice(0, -1))
    const found = root && listed(root).find((one) => one.key === path.at(-1))
    if (!found) return 'gone'
    const outcome = await use(found.element)
    trail = [...trail.slice(0, path.length - 1), { part, key: found.key, layer: topLayer() }]
    return outcome
  }
  /** The innermost layer of the path, if all of its layers are still open. */
  const openLayer = (part: string, path: readonly string[]) => {
    const isOpen = path.every((key, at) => trail[at]?.part === part && trail[at].key === key && trail[at].layer?.matches(LAYERS))
    return isOpen ? trail[path.length - 1]?.layer : undefined
  }
  /** Goes to the layer that the path leads to. Where its layers are still open, only what was opened above them is closed. */
  const follow = async (part: string, path: readonly string[]): Promise<boolean> => {
    const layer = openLayer(part, path)
    await closeAll(layer)
    if (layer && topLayer() === layer) return true
    await closeAll()
    for (const at of path.keys()) if ((await step(part, path.slice(0, at + 1))) === 'gone') return false
    return true
  }
  const stepFrom = async (part: string, path: readonly string[]) => ((await follow(part, path.slice(0, -1))) ? step(part, path) : 'gone')

  globalThis.controls = {
    reports,
    asked: 0,
    async find(part, path) {
      if (!(await follow(part, path))) return { controls: [], left: { 'layer that did not open again': 1 } }
      const root = rootOf(part, path)
      const controls: Control[] = []
      const left: Record<string, number> = {}
      let tips = 0
      for (const { element, key } of root ? listed(root) : []) {
        const kind = kindOf(element)
        if (kind === 'tooltip') {
          tips += 1
          const cut = element.hasAttribute('data-tip') || element.scrollWidth > element.clientWidth + 1
          if (!cut) continue
        }
        const reason = kind === 'tooltip' && tips > 12 ? 'tooltip of a further cell' : leftFor(element, path.length > 0)
        if (reason) left[reason] = (left[reason] ?? 0) + 1
        else if (!(element instanceof HTMLAnchorElement)) controls.push({ kind, name: nameOf(element), key })
      }
      // A button may remove others, so those that only open something come first.
      return { controls: controls.toSorted((one, other) => Number(one.kind === 'button') - Number(other.kind === 'button')), left }
    },
    async open(part, path) {
      let outcome = await stepFrom(part, path)
      // An earlier step may have changed the layer, so it is opened again.
      if (outcome === 'gone' && path.length > 1) {
        trail = []
        outcome = await stepFrom(part, path)
      }
      return { outcome, broke: BROKEN.test(document.body.textContent) }
    },
  }
}
