import type { ApproachMapProps } from './approachMap.ts'

/** Replaces the map, which needs a canvas, in every test (`test-setup.ts`): tests check its props and callbacks. */
export const ApproachMap = ({ label, circles, lines = [], chosen, onChoose }: ApproachMapProps) => (
  <div role="application" aria-label={label}>
    {circles.map(({ id, name, tone, size }) => (
      <button
        key={id}
        type="button"
        onClick={() => onChoose?.(id)}
      >{`${name}, ${tone}, ${Math.round(size)} px`}</button>
    ))}
    {lines.map(({ id, points }) => (
      <span key={id}>{`Way of ${points.length} points${id === chosen ? ', chosen' : ''}`}</span>
    ))}
  </div>
)
