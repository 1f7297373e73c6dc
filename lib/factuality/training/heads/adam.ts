/** Takes one step against a gradient; the point is changed in place. */
export type Step = (point: Float64Array, gradient: Float64Array) => void;

const FIRST_DECAY = 0.9;
const SECOND_DECAY = 0.999;
const EPSILON = 1e-8;

/**
 * Adam with the authors' own constants (Kingma & Ba 2015, arXiv 1412.6980, algorithm 1): steps by the
 * running mean of the gradient over the root of that of its square.
 * @param learningRate Largest usual change of a parameter in one step, > 0.
 */
export function adam(size: number, learningRate: number): Step {
  const [first, second] = [new Float64Array(size), new Float64Array(size)];
  let step = 0;
  return (point, gradient) => {
    step++;
    const [bias1, bias2] = [1 - FIRST_DECAY ** step, 1 - SECOND_DECAY ** step];
    for (let i = 0; i < size; i++) {
      const g = gradient[i]!;
      const mean = first[i] = FIRST_DECAY * first[i]! + (1 - FIRST_DECAY) * g;
      const square = second[i] = SECOND_DECAY * second[i]! + (1 - SECOND_DECAY) * g * g;
      point[i]! -= learningRate * (mean / bias1) / (Math.sqrt(square / bias2) + EPSILON);
    }
  };
}
