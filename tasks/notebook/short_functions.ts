/** A plugin of `deno lint` for notebook cells: longer functions belong in lib/ (house style 3). */
const LONGEST = 5;

const plugin: Deno.lint.Plugin = {
  name: "notebook",
  rules: {
    "short-functions": {
      create(context) {
        const check = (node: Deno.lint.Node) => {
          const lines = context.sourceCode.text.slice(...node.range).split("\n").length;
          const message = `a function of ${lines} lines, more than ${LONGEST}: move it to lib/`;
          if (lines > LONGEST) context.report({ node, message });
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
