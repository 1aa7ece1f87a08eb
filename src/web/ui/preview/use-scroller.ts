/** What the mouse does with a document: wheel with Ctrl, dragging; and how much room it has. */
import { useEffect, useEffectEvent, useState } from 'react'
import { wheelZoom, type Zoom } from './zoom.ts'

type Holder = { readonly current: HTMLElement | null }
/** Pixels left and right of a page that fills its place. */
const MARGIN = 24
/** Pixels that the pointer moves before it drags; less is a click on a mark. */
const DRAG_FROM = 4

/** Pixels that a page may be wide so that nothing has to be scrolled sideways. */
export function useRoom(holder: Holder): number {
  const [room, setRoom] = useState(600)
  useEffect(() => {
    const element = holder.current
    if (!element) return undefined
    const watch = new ResizeObserver(() => setRoom(Math.max(80, element.clientWidth - MARGIN)))
    watch.observe(element)
    return () => watch.disconnect()
  }, [holder])
  return room
}

/** The wheel with Ctrl, and two fingers on a touchpad, zoom the document and not the console. */
export function useWheelZoom(holder: Holder, percent: number, onZoom: (zoom: Zoom) => void): void {
  const turn = useEffectEvent((delta: number) => onZoom(wheelZoom(percent, delta)))
  useEffect(() => {
    const element = holder.current
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      turn(event.deltaY)
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [holder])
}

/** The main button drags the paper, as a hand does. */
export function useDrag(holder: Holder): void {
  useEffect(() => {
    const element = holder.current
    if (!element) return undefined
    let from: { x: number; y: number; left: number; top: number } | undefined
    let moved = false
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType !== 'mouse') return
      moved = false
      from = { x: event.clientX, y: event.clientY, left: element.scrollLeft, top: element.scrollTop }
    }
    const move = (event: PointerEvent) => {
      if (!from || event.buttons === 0) return
      const [across, along] = [event.clientX - from.x, event.clientY - from.y]
      if (!moved && Math.hypot(across, along) < DRAG_FROM) return
      moved = true
      element.setPointerCapture(event.pointerId)
      element.scrollTo({ left: from.left - across, top: from.top - along, behavior: 'instant' })
    }
    const up = () => void (from = undefined)
    // Letting go of the paper is no click on what lies under the pointer.
    const click = (event: MouseEvent) => {
      if (moved) event.stopPropagation()
    }
    element.addEventListener('pointerdown', down)
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerup', up)
    element.addEventListener('click', click, true)
    return () => {
      element.removeEventListener('pointerdown', down)
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerup', up)
      element.removeEventListener('click', click, true)
    }
  }, [holder])
}
