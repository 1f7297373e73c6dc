/** A plugin of `deno lint` for notebook cells: longer functions belong in lib/ (house style 3). */
const LONGEST = 5;

const plugin: Deno.lint.Plugin = {
  name: "notebook",
  rules: {
    "short-functions": {
      create(context) {
        const check = (node: Deno.lint.Node) => {
          const text = context.sourceCode.text.slice(...node.range);
          const lines = text.split("\n").length;
          if (lines <= LONGEST) return;
          const message = `a function of ${lines} lines, more than ${LONGEST}: move it to lib/`;
          context.report({ node, message });
        };
        return {
          FunctionDeclaration: check,
          FunctionExpression: check,
          ArrowFunctionExpression: check,
        };
      },
    },
  },
};

export default plugin;
