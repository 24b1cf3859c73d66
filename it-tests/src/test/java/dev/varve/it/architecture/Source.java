package dev.varve.it.architecture;

import com.sun.source.tree.AssertTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnionTypeTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * What one source file holds, as javac's parser sees it; nothing is resolved, so types are the
 * names that the file writes.
 *
 * @param name path from the root of the repository
 * @param lines number of lines
 * @param types all types that the file declares, nested ones included
 * @param methods all methods and constructors that the file declares
 * @param marks single things that rules ask about
 */
record Source(
    String name,
    int lines,
    List<TypeDeclaration> types,
    List<MethodDeclaration> methods,
    List<Mark> marks) {
  /**
   * A type.
   *
   * @param kind class, record, enum, interface or annotation
   * @param functional whether it is marked as made for lambdas
   */
  record TypeDeclaration(
      String name,
      Tree.Kind kind,
      boolean isPublic,
      boolean nested,
      boolean documented,
      boolean functional,
      List<String> supertypes) {}

  /** A method or constructor. */
  record MethodDeclaration(
      String where,
      boolean constructor,
      boolean isPublic,
      int parameters,
      int booleanParameters,
      int bodyLines,
      List<String> thrown) {}

  /** What a {@link Mark} stands for. */
  enum MarkKind {
    ASSERTION,
    SYNCHRONIZED_BLOCK,
    CATCH_OF_EVERYTHING
  }

  /** A single thing and where it is. */
  record Mark(MarkKind kind, String where) {}

  /** Parses files. */
  static List<Source> parse(List<Path> files) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      DocTrees docs = DocTrees.instance(task);
      List<Source> sources = new ArrayList<>();
      for (CompilationUnitTree unit : task.parse()) {
        sources.add(new Scanner(unit, docs).source());
      }
      return sources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Scanner extends TreePathScanner<Void, Void> {
    private static final Set<String> EVERYTHING = Set.of("Exception", "Throwable");

    private final CompilationUnitTree unit;
    private final DocTrees docs;
    private final String name;
    private final String text;
    private final List<TypeDeclaration> types = new ArrayList<>();
    private final List<MethodDeclaration> methods = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();

    Scanner(CompilationUnitTree unit, DocTrees docs) throws IOException {
      this.unit = unit;
      this.text = unit.getSourceFile().getCharContent(true).toString();
      this.docs = docs;
      this.name = Repository.name(Path.of(unit.getSourceFile().toUri()));
    }

    Source source() {
      scan(unit, null);
      return new Source(name, (int) text.lines().count(), types, methods, marks);
    }

    @Override
    public Void visitClass(ClassTree tree, Void unused) {
      if (tree.getSimpleName().length() > 0) {
        List<String> supertypes = new ArrayList<>();
        if (tree.getExtendsClause() != null) {
          supertypes.add(simpleName(tree.getExtendsClause()));
        }
        tree.getImplementsClause().forEach(type -> supertypes.add(simpleName(type)));
        TreePath parent = getCurrentPath().getParentPath();
        boolean nested = parent.getLeaf() instanceof ClassTree;
        boolean inInterface =
            nested && ((ClassTree) parent.getLeaf()).getKind() == Tree.Kind.INTERFACE;
        types.add(
            new TypeDeclaration(
                tree.getSimpleName().toString(),
                tree.getKind(),
                inInterface || tree.getModifiers().getFlags().contains(Modifier.PUBLIC),
                nested,
                docs.getDocComment(getCurrentPath()) != null,
                tree.getModifiers().getAnnotations().toString().contains("FunctionalInterface"),
                supertypes));
      }
      return super.visitClass(tree, null);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void unused) {
      if (tree.getClassBody() != null) {
        types.add(
            new TypeDeclaration(
                "",
                Tree.Kind.CLASS,
                false,
                true,
                true,
                false,
                List.of(simpleName(tree.getIdentifier()))));
      }
      return super.visitNewClass(tree, null);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void unused) {
      BlockTree body = tree.getBody();
      boolean ownParameters = !compactConstructor(tree);
      methods.add(
          new MethodDeclaration(
              where(tree) + " " + tree.getName(),
              tree.getReturnType() == null,
              tree.getModifiers().getFlags().contains(Modifier.PUBLIC),
              ownParameters ? tree.getParameters().size() : 0,
              ownParameters ? booleans(tree) : 0,
              body == null ? 0 : line(end(body)) - line(start(body)) + 1,
              tree.getThrows().stream().map(Scanner::simpleName).toList()));
      return super.visitMethod(tree, null);
    }

    /** The parser gives it the record's components as parameters, which its text doesn't have. */
    private boolean compactConstructor(MethodTree tree) {
      return tree.getReturnType() == null
          && tree.getBody() != null
          && text.substring((int) start(tree), (int) start(tree.getBody()))
              .stripTrailing()
              .endsWith(enclosingName());
    }

    private String enclosingName() {
      return ((ClassTree) getCurrentPath().getParentPath().getLeaf()).getSimpleName().toString();
    }

    private static int booleans(MethodTree tree) {
      return (int)
          tree.getParameters().stream()
              .filter(parameter -> parameter.getType().toString().equals("boolean"))
              .count();
    }

    @Override
    public Void visitAssert(AssertTree tree, Void unused) {
      marks.add(new Mark(MarkKind.ASSERTION, where(tree)));
      return super.visitAssert(tree, null);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void unused) {
      if (tree.getMethodSelect().toString().equals("Invariant.check")) {
        marks.add(new Mark(MarkKind.ASSERTION, where(tree)));
      }
      return super.visitMethodInvocation(tree, null);
    }

    @Override
    public Void visitSynchronized(SynchronizedTree tree, Void unused) {
      marks.add(new Mark(MarkKind.SYNCHRONIZED_BLOCK, where(tree)));
      return super.visitSynchronized(tree, null);
    }

    @Override
    public Void visitCatch(CatchTree tree, Void unused) {
      Tree caught = tree.getParameter().getType();
      List<? extends Tree> all =
          caught instanceof UnionTypeTree union ? union.getTypeAlternatives() : List.of(caught);
      if (all.stream().map(Scanner::simpleName).anyMatch(EVERYTHING::contains)) {
        marks.add(new Mark(MarkKind.CATCH_OF_EVERYTHING, where(tree)));
      }
      return super.visitCatch(tree, null);
    }

    private static String simpleName(Tree type) {
      String text = type.toString();
      int generics = text.indexOf('<');
      String raw = generics < 0 ? text : text.substring(0, generics);
      return raw.substring(raw.lastIndexOf('.') + 1);
    }

    private String where(Tree tree) {
      return name + ":" + line(start(tree));
    }

    private long start(Tree tree) {
      return docs.getSourcePositions().getStartPosition(unit, tree);
    }

    private long end(Tree tree) {
      return docs.getSourcePositions().getEndPosition(unit, tree);
    }

    private int line(long position) {
      return (int) unit.getLineMap().getLineNumber(position);
    }
  }
}
