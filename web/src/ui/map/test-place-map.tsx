import type { PlaceMapProps } from './places.ts'

/** Replaces the map, which needs a canvas, in every test (`test-setup.ts`): tests check its props and callbacks. */
export const PlaceMap = ({ places, selected, outline, onSelect, onMove, onClick, onOutline }: PlaceMapProps) => (
  <div role="application" aria-label={`${places.length} pins, ${selected ?? 'none'} chosen`}>
    {places.map(({ id, name }) => (
      <button key={id} type="button" onClick={() => onSelect?.(id)}>{`Pin ${name}`}</button>
    ))}
    {onMove && (
      <button type="button" onClick={() => onMove(String(selected), { latitude: 31.12345678, longitude: -98 })}>
        Drag
      </button>
    )}
    {onClick && (
      <button type="button" onClick={() => onClick({ latitude: 33, longitude: -99 })}>
        Click the map
      </button>
    )}
    {outline && <span>{`${outline.length} corners`}</span>}
    {outline && onOutline && (
      <button type="button" onClick={() => onOutline(outline.slice(1) as [number, number][])}>
        Click a corner
      </button>
    )}
  </div>
)
