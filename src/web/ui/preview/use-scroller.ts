/** Mouse handling of a document (Ctrl with the wheel, dragging), and the available width. */
import { useEffect, useEffectEvent, useState } from 'react'
import { wheelZoom, type Zoom } from './zoom.ts'

type Holder = { readonly current: HTMLElement | null }
/** Pixels left and right of a page that fits the width. */
const MARGIN = 24
/** Pixels that the pointer must move to start a drag; less is a click on a mark. */
const DRAG_FROM = 4

/** Returns the maximum width of a page, in pixels, that needs no sideways scrolling. */
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

/** The wheel with Ctrl, and pinching on a touchpad, zoom the document and not the console. */
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

/** Drags the page with the main button. */
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
    // Releasing a drag is not a click on the element under the pointer.
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
